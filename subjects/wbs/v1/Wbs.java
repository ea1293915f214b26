/** As v0, with one pedal position less and the skid decided before automatic braking: 20 paths a step. */
public class Wbs {
    private int lastCommand;
    private int lastGreen;
    private int lastBlue;
    private boolean controllerSound = true;

    public int normalPressure;
    public int alternatePressure;

    public void update(int pedal, boolean autoBrake, boolean skid) {
        int command;
        if (pedal == 0) {
            command = 0;
        } else if (pedal == 1) {
            command = 1;
        } else if (pedal == 2) {
            command = 2;
        } else if (pedal == 3) {
            command = 3;
        } else {
            command = 0;
        }

        boolean release = false;
        if (skid) {
            release = true;
        }
        if (autoBrake) {
            command = command > 1 ? command : 1;
        }
        controllerSound = controllerSound && command - lastCommand <= 4;

        int green = release ? 0 : 5 * command;
        int blue = release ? lastBlue / 2 : 4 * command;

        boolean useGreen = controllerSound && lastGreen >= 0;
        normalPressure = useGreen ? green : 0;
        alternatePressure = useGreen ? 0 : blue;

        lastCommand = command;
        lastGreen = green;
        lastBlue = blue;
    }
}
